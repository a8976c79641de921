"""The independent checker: proves what a certificate claims, and knows no operator, registry or policy."""

from augmentors.adapters.refactorings import RefactoringError
from augmentors.certificates import Certificate
from augmentors.proofs.belonging import belonging, is_about
from augmentors.proofs.claim import Claim, Finding
from augmentors.proofs.constraints import constraints
from augmentors.proofs.refactoring import refactoring
from augmentors.proofs.rendering import Render, rendering
from augmentors.proofs.task import task
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.ir.verify import verify_surface

__all__ = ["Finding", "Render", "check"]


def check(
    core: Core, baseline: Surface, certificate: Certificate, render: Render | None = None
) -> list[Finding]:
    """What does not hold of `certificate`, given the Core and the default Surface it was drawn from.

    `render` gives everything that a model reads; without it, proof 3 reads the author's prose alone. Never
    raises, whatever the certificate says.
    """
    if not is_about(core, certificate):
        return [Finding(1, "the certificate is about another Core")]
    try:
        claim = Claim.of(core, baseline, certificate)
    except RefactoringError as error:
        return [Finding(1, str(error))]
    findings = [
        *(Finding(1, message) for message in refactoring(claim)),
        *(Finding(1, message) for message in belonging(claim)),
        *(Finding(2, message) for message in constraints(claim)),
        *(Finding(3, message) for message in rendering(claim, render)),
        *(Finding(4, message) for message in task(claim)),
    ]
    if findings:
        return findings
    problems = verify_surface(claim.core, claim.surface, claim.baseline)
    return [Finding(1, f"`{problem.id}`: {problem.message}") for problem in problems]
