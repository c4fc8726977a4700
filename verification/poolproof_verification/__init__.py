"""Why to believe it: proofs, exploration, contracts, fuzzing, workloads, and the command line."""
