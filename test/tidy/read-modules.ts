import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import type { Import, Module } from './floors.ts'

/** How SQL statements begin: with a method of Kysely, or with its `sql` tag. */
const SQL = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(?:\.\w+|<[^`]*>)?`/

/** The program's modules, without tests. */
export function readModules(): Module[] {
  const paths = globSync('src/**/*.ts').filter((path) => !/\.(?:test|d)\.ts$/.test(path))
  return paths.map((path) => moduleOf(path, readFileSync(path, 'utf8')))
}

export function moduleOf(path: string, text: string): Module {
  return { path, imports: importsOf(path, text), hasSql: SQL.test(text) }
}

export function importsOf(path: string, text: string): Import[] {
  const { module } = parseSync(path, text)
  const literal = (span: { start: number; end: number }): string => text.slice(span.start + 1, span.end - 1)
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      from: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ from: moduleRequest.value, isType }] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => ({ from: literal(moduleRequest), isType: false })),
  ]
}
