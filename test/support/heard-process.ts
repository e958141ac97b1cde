import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'

/** A process with what it has written so far, on both streams in the order in which it came. */
export interface HeardProcess extends ChildProcess {
  said: string
}

/** Starts a program without input, and collects what it writes. */
export function spawnHeard(
  path: string,
  args: readonly string[],
  options: Omit<SpawnOptions, 'stdio'> = {},
): HeardProcess {
  const child = spawn(path, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const heard = Object.assign(child, { said: '' })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (heard.said += text))
  return heard
}
