// The health check of the image, which has no shell and no curl. The port of probes is open from the start on.
const { PORT, PROBE_PORT } = process.env
const answer = await fetch(`http://127.0.0.1:${PROBE_PORT || PORT}/healthz`, { signal: AbortSignal.timeout(4_000) })
process.exitCode = answer.ok ? 0 : 1
