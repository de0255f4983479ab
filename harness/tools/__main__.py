"""`python -m harness.tools` writes docs/tools.md."""

from harness.tools.docs import DOCS, document

if __name__ == "__main__":
    DOCS.write_text(document(), encoding="utf-8")
    print(f"wrote {DOCS}")
