import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ELSEWHERE, FAMILIES, type Section } from './sections.ts'
import { SETTLED } from './settled.ts'
import { table } from './table.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const INTRODUCTION = `# Benchmarks

What the service reaches and what it takes, on one small shared machine that stands under each section. The last figure is the one that says most; its page has all of them, what is required, and what was missed. The commands write these pages with \`--write\`, from the figures of their last runs in \`bench/results\`. How they measure: [How the benchmarks measure](maintainers/benchmark-method.md).`
const FAMILY_NOTE = 'All benchmarks: [Benchmarks](../benchmarks.md).'

/** Digits of a saved figure, more than any page shows. */
const DIGITS = 9
/** Characters of a line of JSON; a value that fits is not broken. */
const LINE_MAX = 180

/** Saves the figures of a command's run, which the page shows. */
export function saveReport(name: string, report: object): void {
  mkdirSync(new URL('../results/', import.meta.url), { recursive: true })
  writeFileSync(resultFile(name), `${laidOut(report)}\n`)
}

/** Returns readable JSON with a row of figures in a line. */
function laidOut(value: unknown, indent = '', room = LINE_MAX): string {
  const line = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(DIGITS)) : each,
  )
  if (typeof value !== 'object' || value === null || line.length <= room) return line
  const deeper = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((each) => ['', each] as const)
    : Object.entries(value).map(([key, each]) => [`${JSON.stringify(key)}: `, each] as const)
  const lines = parts.map(
    ([key, each]) => `${deeper}${key}${laidOut(each, deeper, LINE_MAX - deeper.length - key.length - 1)}`,
  )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Returns the figures of a command's last run; null before the first run. */
export function readReport(name: string): unknown {
  const file = resultFile(name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : null
}

/** Returns the pages of benchmarks by their paths, from all saved figures. */
export function benchmarkPages(): Readonly<Record<string, string>> {
  const families = FAMILIES.map(({ page, head, sections }) => {
    const texts = sections.flatMap(({ name, text }) => reportOf(name).map((report) => text(report)))
    return [`docs/benchmarks/${page}`, pageOf([head, FAMILY_NOTE, ...texts])] as const
  })
  return { 'docs/benchmarks.md': pageOf([INTRODUCTION, overview(), SETTLED]), ...Object.fromEntries(families) }
}

/** Returns the table of all benchmarks: subject, command, last figure and requirement of each. */
function overview(): string {
  const rows = FAMILIES.flatMap(({ page, sections }) =>
    sections.flatMap((section) => reportOf(section.name).map((report) => overviewRow(page, section, report))),
  )
  const others = ELSEWHERE.map(([measures, command, link]) => [measures, `\`npm run ${command}\``, link, ''])
  return table(['what is measured', 'command', 'last figure', 'requirements met'], [...rows, ...others])
}

function overviewRow(page: string, section: Section, report: never): string[] {
  const { measures, anchor, command, headline, requirements, unmeasured } = section
  const required = requirements(report)
  const met = required.filter((each) => each.met).length
  const others = unmeasured?.(report) ?? []
  return [
    `[${measures}](benchmarks/${page}#${anchor})`,
    `\`npm run ${command}\``,
    headline(report),
    [`${met} of ${required.length}`, ...others.map((each) => `${each}: not measured yet`)].join('; '),
  ]
}

/** Writes the pages of benchmarks again. */
export function writeDocument(): void {
  mkdirSync(join(ROOT, 'docs/benchmarks'), { recursive: true })
  for (const [path, page] of Object.entries(benchmarkPages())) writeFileSync(join(ROOT, path), page)
}

/** Returns the saved figures of a benchmark; nothing before its first run. */
function reportOf(name: string): never[] {
  const report = readReport(name)
  return report === null ? [] : [report as never]
}

function pageOf(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}

function resultFile(name: string): string {
  return fileURLToPath(new URL(`../results/${name}.json`, import.meta.url))
}
