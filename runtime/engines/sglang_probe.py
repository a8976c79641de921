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
        import torch
        from sglang.srt.server_args import ServerArgs, prepare_server_args

        report["gpus"] = torch.cuda.device_count()
        server_args: ServerArgs = prepare_server_args(sys.argv[1:])
        simple = (bool, int, float, str, type(None))
        given = vars(server_args).items()
        report["values"] = {key: value for key, value in given if isinstance(value, simple)}
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
