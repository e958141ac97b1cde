/**
 * One exposition of those of several processes, in the text format of Prometheus. A metric's lines have to follow each
 * other, after one description: the first that is told, where a new process and an old one describe a metric differently.
 * The series of the processes must differ, as by a label `process`.
 * @param texts as prom-client writes them: an empty line between two metrics
 */
export function mergedMetrics(texts: readonly string[]): string {
  const merged = new Map<string, string[]>()
  for (const text of texts) {
    for (const block of text.split('\n\n')) {
      const [help, type, ...series] = block.trimEnd().split('\n')
      if (type === undefined) continue
      const [, , name] = help.split(' ', 3)
      const known = merged.get(name)
      if (known === undefined) merged.set(name, [help, type, ...series])
      else known.push(...series)
    }
  }
  return Array.from(merged.values(), (lines) => `${lines.join('\n')}\n`).join('\n')
}
