"""Run by the Python that has SGLang, never imported: what its own argument parser makes of server flags.

Prints one line of JSON: `values` by argument, `gpus`, and `error`, what SGLang itself says against them.
"""

import contextlib
import io
import json
import sys

with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
    report: dict[str, object] = {"values": {}, "gpus": 0, "error": None}
    try:
        import sglang.srt.server_args as parsing
        import torch

        report["gpus"] = torch.cuda.device_count()
        server_args = parsing.prepare_server_args(sys.argv[1:])
        simple = (bool, int, float, str, type(None))
        # Before they are resolved some properties cannot be read: then they were not given.
        read = {name: getattr(server_args, name, ()) for name in dir(server_args) if name[0] != "_"}
        report["values"] = {name: value for name, value in read.items() if isinstance(value, simple)}
        server_args.resolve_once()
        server_args.check_server_args()
    except SystemExit:
        lines = said.getvalue().strip().splitlines()
        report["error"] = lines[-1].partition("error: ")[2] or lines[-1] if lines else "it refused the flags"
    except ImportError as error:
        report["error"] = f"{sys.executable} cannot import it: {error}"
    except Exception as error:
        first = (str(error).strip().splitlines() or [""])[0]
        report["error"] = f"{type(error).__name__}: {first}"
print("probe " + json.dumps(report))
