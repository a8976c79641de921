"""Refactorings as data, and the adapters that lead from one shape of a harness to the other and back.

reshaping     what every refactoring is: pure functions of a Core, a Surface, a call
rewriting     references and expressions of a whole Core replaced
adapter       a conversation in the new shape, and back
refactored    a Core and a Surface after a list of refactorings

Nothing here draws; operators do, and the checker applies the data again without them.
"""
