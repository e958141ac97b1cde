/**
 * Merges the metrics of several processes into one exposition, in the text format of Prometheus. There the lines of a
 * metric follow each other, after one description. When a new process and an old one describe a metric differently, the
 * first description counts. The series of the processes must differ, for example by a label `process`.
 * @param texts expositions as prom-client writes them: with an empty line between two metrics
 */
export function mergedMetrics(texts: readonly string[]): string {
  const merged = new Map<string, string[]>()
  for (const text of texts) {
    for (const block of text.split('\n\n')) {
      const [help, type, ...series] = block.trimEnd().split('\n')
      if (type === undefined) continue
      const [, , name] = help.split(' ', 3)
      const lines = merged.get(name)
      if (lines === undefined) merged.set(name, [help, type, ...series])
      else lines.push(...series)
    }
  }
  return Array.from(merged.values(), (lines) => `${lines.join('\n')}\n`).join('\n')
}
