"""Fixtures of the language tests."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shop_path() -> Path:
    return ROOT / "examples" / "live_shop" / "shop.harness"


@pytest.fixture(scope="session")
def shop_text(shop_path: Path) -> str:
    return shop_path.read_text("utf-8")
