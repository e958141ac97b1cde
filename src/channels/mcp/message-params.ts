import { type Check, compileCheck } from '../../platform/contract/check.ts'
import { Type } from '../../platform/contract/schema.ts'
import type { FaultDetail } from '../../platform/faults.ts'

const Page = Type.Object({ cursor: Type.Optional(Type.String()) })
const optional = (fields: ReturnType<typeof Type.Object>) => Type.Object({ params: Type.Optional(fields) })

const PLACE = ['body']

/**
 * What the messages that carry parameters must hold. The SDK checks it as well, but answers some of it as a failure of
 * its own (-32603) that a client would try again.
 */
const CHECKS: Readonly<Record<string, Check>> = {
  'tools/list': compileCheck(optional(Page), PLACE),
  'resources/list': compileCheck(optional(Page), PLACE),
  'resources/templates/list': compileCheck(optional(Page), PLACE),
  'prompts/list': compileCheck(optional(Page), PLACE),
  'tools/call': compileCheck(
    Type.Object({
      params: Type.Object({ name: Type.String(), arguments: Type.Optional(Type.Object({})) }),
    }),
    PLACE,
  ),
  'resources/read': compileCheck(Type.Object({ params: Type.Object({ uri: Type.String() }) }), PLACE),
  'prompts/get': compileCheck(
    Type.Object({
      params: Type.Object({
        name: Type.String(),
        arguments: Type.Optional(Type.Record(Type.String(), Type.String())),
      }),
    }),
    PLACE,
  ),
}

/** What is wrong with the parameters of a message; null when nothing is, or the method has none. */
export function paramFaults(method: unknown, message: object): FaultDetail[] | null {
  if (typeof method !== 'string' || !Object.hasOwn(CHECKS, method)) return null
  // A check leaves the declared fields alone; the others are for the SDK to read.
  return CHECKS[method]({ ...message })
}
