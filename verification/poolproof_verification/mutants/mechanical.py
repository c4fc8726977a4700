"""First-order mutants of the manager's source, made by machine: one place wrong at a time.

A statement is deleted, a comparison flipped, a number or a count is one more or one less, two
arguments are swapped, a condition is negated. Annotations and docstrings stay as they are.

Does not cover: two faults that hide each other, the wording of messages, an operator or a name in
the place of another one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial

from poolproof_verification.mutants.patches import sources

# Names and attributes that count something.
COUNTS = {"count", "end", "length", "limit", "logical", "lowest", "missing", "more", "num_free"}
COUNTS |= {"start", "tokens", "total"}
OTHER: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
SIGNS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
SIGNS |= {ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not"}
LEFT_ALONE = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)
Edit = tuple[str, Callable[[], ast.AST]]  # what is done, and the node instead


@dataclass(frozen=True, eq=False)
class CodeMutant:
    """One source file with one place changed."""

    name: str  # file:function:line within it:what is done
    file: str
    tree: ast.Module  # of the file as it is
    node: ast.AST  # a part of the tree
    instead: ast.AST  # what it becomes

    @property
    def wrong(self) -> str:
        """What became what, in a line."""
        return f"{self.name}: {shortened(self.node)} became {shortened(self.instead)}"

    @property
    def text(self) -> str:
        """The whole file, without comments."""
        changed = {id(self.node): ast.copy_location(deepcopy(self.instead), self.node)}
        return ast.unparse(ast.fix_missing_locations(deepcopy(self.tree, changed)))


@cache
def code_mutants() -> tuple[CodeMutant, ...]:
    """All of them, file by file in the order of the text."""
    texts = sorted(sources().items())
    return tuple(mutant for file, text in texts for mutant in mutants_of(file, text))


def mutants_of(file: str, text: str) -> Iterator[CodeMutant]:
    """Those of one file; two in one line with one name are numbered."""
    tree, counted = ast.parse(text), dict[str, int]()
    for place, first, node in nodes(tree):
        for kind, instead in edits(node):
            plain = f"{file}:{place}:{node.lineno - first}:{kind}"
            counted[plain] = counted.get(plain, 0) + 1
            name = f"{plain} ({counted[plain]})" if counted[plain] > 1 else plain
            yield CodeMutant(name, file, tree, node, instead())


@cache
def by_name() -> dict[str, CodeMutant]:
    """Each of them by its name."""
    return {mutant.name: mutant for mutant in code_mutants()}


def shortened(node: ast.AST) -> str:
    """The code, or its beginning, in one line."""
    code = " ".join(ast.unparse(node).split())
    return code if len(code) <= 60 else f"{code[:57]}..."


Node = ast.expr | ast.stmt


def nodes(tree: ast.Module) -> Iterator[tuple[str, int, Node]]:
    """(function, its first line, node) for everything that is executed, by its place."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            yield from (("module", 1, node) for node in within(statement) if node is not statement)
    for place, function in functions(tree):
        found = [node for each in body_of(function) for node in within(each)]
        found.sort(key=lambda node: (node.lineno, node.col_offset))
        yield from ((place, function.lineno, node) for node in found)


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions and methods, each by its qualified name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = (each for each in node.body if isinstance(each, ast.FunctionDef))
            yield from ((f"{node.name}.{each.name}", each) for each in methods)


def body_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """The function's statements after its docstring."""
    documented = ast.get_docstring(function) is not None
    return function.body[1:] if documented else function.body


def within(node: ast.AST) -> Iterator[Node]:
    """The node and all below it that is executed, but for what a message is made of."""
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for child in () if isinstance(node, ast.JoinedStr) else ast.iter_child_nodes(node):
        annotation = isinstance(node, ast.AnnAssign) and child is node.annotation
        called = isinstance(node, ast.Call) and child is node.func
        if called and isinstance(child, ast.Attribute):
            yield from within(child.value)
        elif not annotation and not called:
            yield from within(child)


# --- what can be wrong ----------------------------------------------------------------------------


def edits(node: Node) -> Iterator[Edit]:
    """Everything that can be wrong with this node, each a fault of its own."""
    if isinstance(node, ast.stmt) and not isinstance(node, LEFT_ALONE):
        yield "delete", ast.Pass
    if isinstance(node, ast.expr) and is_number(node):
        yield "one more", lambda: ast.BinOp(deepcopy(node), ast.Add(), ast.Constant(1))
        yield "one less", lambda: ast.BinOp(deepcopy(node), ast.Sub(), ast.Constant(1))
    if isinstance(node, ast.Compare):
        yield from comparisons(node)
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from negation(node)
    if isinstance(node, ast.BoolOp):
        yield from operands(node)
    if isinstance(node, ast.Call):
        for first in unequal(node):
            yield f"swap arguments {first + 1} and {first + 2}", partial(swapped, node, first)


def unequal(call: ast.Call) -> Iterator[int]:
    """Where an argument is not the same as the next; the order of `min` and `max` says nothing."""
    if isinstance(call.func, ast.Name) and call.func.id in ("min", "max"):
        return
    for first in range(len(call.args) - 1):
        if ast.dump(call.args[first]) != ast.dump(call.args[first + 1]):
            yield first


def is_number(node: ast.expr) -> bool:
    """An integer literal, a length, or a name of something counted."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len"
    if isinstance(node, ast.Name):
        return node.id in COUNTS and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Attribute):
        return node.attr in COUNTS and isinstance(node.ctx, ast.Load)
    return False


def comparisons(node: ast.Compare) -> Iterator[Edit]:
    """The comparison with another sign, for each of its signs."""
    for index, sign in enumerate(node.ops):
        for other in OTHER[type(sign)]:
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield f"{SIGNS[type(sign)]} to {SIGNS[other]}", partial(replaced, node, ops=ops)


def negation(node: ast.If | ast.While | ast.IfExp) -> Iterator[Edit]:
    """The condition the other way round, unless it is a comparison, which can be flipped."""
    if not (isinstance(node.test, ast.Compare) and len(node.test.ops) == 1):
        test = ast.UnaryOp(ast.Not(), node.test)
        yield "negate", partial(replaced, node, test=test)


def operands(node: ast.BoolOp) -> Iterator[Edit]:
    """The condition without one of its parts."""
    for index in range(len(node.values)):
        rest = [*node.values[:index], *node.values[index + 1 :]]
        kept = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        yield f"drop part {index + 1}", partial(deepcopy, kept)


def swapped(node: ast.Call, first: int) -> Node:
    """The call with this argument and the next in each other's place."""
    args = list(node.args)
    args[first], args[first + 1] = args[first + 1], args[first]
    return replaced(node, args=args)


def replaced(node: Node, **fields: object) -> Node:
    """A copy of the node with other parts."""
    parts = {name: getattr(node, name) for name in node._fields} | fields
    return deepcopy(type(node)(**parts))
