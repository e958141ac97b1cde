// The health check of the image, which has no shell and no curl.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`, { signal: AbortSignal.timeout(4_000) })
process.exitCode = answer.ok ? 0 : 1
