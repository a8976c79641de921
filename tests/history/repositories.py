"""Small real git repositories, and harnesses to put into them."""

import subprocess
from pathlib import Path

SHOP = '''harness tea_shop "1.0.0"
  "A host that answers questions about tea."

type Quote {
  amount: decimal "In yuan."
}

input danmaku: string untrusted "What the viewer wrote."

tool get_quote(link_id: int(min: 1), quantity: int = 1) -> Quote {
  """Look up the current price of a link."""
  effect read
}

prompt system {
  section persona """You are the host of a tea shop."""
  section rules unordered {
    rule quoted """Never say a price that {{ tool.get_quote }} did not return."""
      check every price(reply) in results(get_quote).amount
  }
  section tools catalog tools
  order persona first
}

limits {
  turns 6
  reply_chars 60 in 30..120
}
'''


class Repo:
    """A repository at `folder`; `git` runs a git command in it and returns what it prints."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    @classmethod
    def at(cls, folder: Path) -> "Repo":
        """The repository that `folder` already lies in."""
        made = cls.__new__(cls)
        made.folder = folder
        return made

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, path: str, text: str) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def stage(self, path: str, text: str) -> Path:
        file = self.write(path, text)
        self.git("add", "--", path)
        return file

    def commit(self, **files: str) -> None:
        """Commits the given files (`shop`: `shop.harness`) with whatever is staged."""
        for name, text in files.items():
            self.stage(f"{name}.harness", text)
        self.git("commit", "-q", "--allow-empty", "-m", "a state")


def version(text: str, number: str, comment: str = "") -> str:
    """`text` with another version, and a comment behind it."""
    return text.replace('"1.0.0"', f'"{number}"{"  " + comment if comment else ""}', 1)
