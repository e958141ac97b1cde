import type { TObject, TProperties } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'
import { joinFaults } from '../../platform/contract/all-faults.ts'
import { compileCheck } from '../../platform/contract/check.ts'
import { type Static, Type } from '../../platform/contract/schema.ts'
import { Fault } from '../../platform/faults.ts'
import { inWords, withWords } from './field-words.ts'
import { listedSchema } from './listed-schema.ts'
import { plainSchema, type JsonSchema } from './plain-schema.ts'
import type { WritesOfRequest } from './writes-seen.ts'

/** The answer of a tool in two forms: structured for programs, and as text for models to read. */
export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  /** Parts that others wrote are `quoted`. */
  readonly text: string
}

interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  /** Absent for tools that only read, of which it says nothing, and for tools that add something with each call. */
  readonly idempotentHint?: true
  /** Whether the tool reaches beyond this service. */
  readonly openWorldHint: boolean
}

/** A tool in the list of tools. Assistants pay for every character of it, in each conversation. */
interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: ToolHints
}

/** A tool as MCP lists and calls it. */
export interface Tool {
  readonly name: string
  /** The caller needs all of these scopes, as on the route that does the same. */
  readonly scopes: readonly Scope[]
  readonly listed: ListedTool
  /** All fields that the tool takes, also those that the list leaves out; for the reference. */
  readonly inputSchema: JsonSchema
  /** The fields of its structured answer; for the reference. */
  readonly outputSchema: JsonSchema
  readonly fields: readonly string[]
  /** Tells whether the caller's tenant has what the tool works on. If not, the list leaves the tool out. */
  readonly isOfUse: (caller: Caller) => Promise<boolean>
  /** Calls the tool. @throws Fault for input that breaks the schema, and the faults of the rules */
  readonly call: (caller: Caller, input: Record<string, unknown>, watermarks: WritesOfRequest) => Promise<ToolAnswer>
}

/** Tells whether the caller's scopes allow the tool. */
export function mayCall(caller: Caller, { scopes }: Pick<Tool, 'scopes'>): boolean {
  return scopes.every((scope) => caller.scopes.has(scope))
}

interface ToolDeclaration<T extends TProperties, U extends TProperties> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scopes: readonly Scope[]
  readonly hints: ToolHints
  readonly input: T
  /** Further fields of the tool. The list leaves them out, because assistants hardly ever need them. */
  readonly unlisted?: U
  /** Descriptions of fields that mean something else in this tool than in `field-words.ts`. */
  readonly words?: Readonly<Record<string, string>>
  readonly output: TProperties
  readonly isOfUse?: Tool['isOfUse']
  readonly run: (caller: Caller, input: Static<TObject<T & U>>, watermarks: WritesOfRequest) => Promise<ToolAnswer>
  /** Finds further faults in input that breaks the schema. The fields of `raw` are unchecked. */
  readonly furtherFaults?: (caller: Caller, raw: Record<string, unknown>) => Promise<readonly Fault[]>
}

/** Hints of a tool that changes nothing. */
export const READS: ToolHints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
/** Hints of a tool that adds something with each call. */
export const ADDS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
/** Hints of a tool that overwrites something. Earlier versions are kept. */
export const CHANGES: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}
/** Hints of a tool that deletes something. A second call changes nothing. */
export const DELETES: ToolHints = { ...CHANGES }

/** Makes a tool from the fields of a route's contract. The tool refuses unknown fields. */
export function defineTool<const T extends TProperties, const U extends TProperties = T>(
  declared: ToolDeclaration<T, U>,
): Tool {
  const { name, title, description, scopes, words = {}, run } = declared
  const input = Type.Object({ ...declared.input, ...declared.unlisted }, { additionalProperties: false })
  const check = compileCheck(input, ['body'])
  return {
    name,
    scopes,
    listed: {
      name,
      title,
      description,
      inputSchema: listedSchema(inWords(plainSchema(Type.Object(declared.input)), words)),
      annotations: declared.hints,
    },
    inputSchema: inWords(plainSchema(input), words),
    outputSchema: withWords(plainSchema(Type.Object(declared.output))),
    fields: Object.keys(input.properties),
    isOfUse: declared.isOfUse ?? (() => Promise.resolve(true)),
    call: async (caller, raw, watermarks) => {
      const faults = check(raw)
      if (faults !== null) {
        const further = await declared.furtherFaults?.(caller, raw)
        throw joinFaults(new Fault('invalid', faults), further ?? [], input)
      }
      return run(caller, raw as Static<TObject<T & U>>, watermarks)
    },
  }
}
