import { parse, YAMLError } from 'yaml'

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>
  /** The text after the front matter. */
  readonly content: string
}

/** Tells that a page has front matter which cannot be read. */
export class FrontMatterError extends Error {
  override readonly name = 'FrontMatterError'
}

const YAML_BLOCK = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/

/**
 * Splits a Markdown text from the YAML at its beginning. A text that begins with a thematic break instead of a YAML
 * mapping has no front matter.
 * @throws FrontMatterError for YAML that does not parse, and for front matter in TOML
 */
export function splitFrontMatter(text: string): FrontMatter {
  if (/^\+\+\+[ \t]*\r?\n[\s\S]*\n\+\+\+/.test(text))
    throw new FrontMatterError('its front matter is TOML (+++); write it as YAML between lines of ---')
  const match = YAML_BLOCK.exec(text)
  if (match === null) return { fields: {}, content: text }
  const fields = readYaml(match[1] ?? '')
  if (fields === null) return { fields: {}, content: text.slice(match[0].length) }
  if (typeof fields !== 'object' || Array.isArray(fields)) return { fields: {}, content: text }
  return { fields: fields as Record<string, unknown>, content: text.slice(match[0].length) }
}

function readYaml(source: string): unknown {
  try {
    return parse(source, { logLevel: 'error', prettyErrors: false, maxAliasCount: 100 })
  } catch (error) {
    if (error instanceof YAMLError) {
      // Plus one for the line of the opening dashes.
      const line = source.slice(0, error.pos[0]).split('\n').length + 1
      throw new FrontMatterError(`its front matter is not valid YAML, line ${line}: ${error.message}`)
    }
    throw new FrontMatterError(`its front matter is not valid YAML: ${(error as Error).message}`)
  }
}
