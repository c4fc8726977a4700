"""Serving engines used as their users use them: through the documented calls, drawn at random.

`front_door` is the search, and knows no engine. `transformers_batches` and `vllm_requests` know
one each, and import it lazily. `python -m poolproof_verification.engines ENGINE` runs a search.
"""
