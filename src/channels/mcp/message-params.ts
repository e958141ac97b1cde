import { type Check, compileCheck } from '../../platform/contract/check.ts'
import { Type } from '../../platform/contract/schema.ts'
import type { FaultDetail } from '../../platform/faults.ts'

const Page = Type.Object({ cursor: Type.Optional(Type.String()) })
const optional = (fields: ReturnType<typeof Type.Object>) => Type.Object({ params: Type.Optional(fields) })

const PLACE = ['body']

/**
 * Checks of the parameters of each method. The SDK checks them too, but answers some faults as an internal error
 * (-32603), and a client would try again.
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

/** Returns the faults in the parameters of a message; null without faults, and for a method without parameters. */
export function paramFaults(method: unknown, message: object): FaultDetail[] | null {
  if (typeof method !== 'string' || !Object.hasOwn(CHECKS, method)) return null
  // A check removes unknown fields, which the SDK still needs. So the check gets a copy.
  return CHECKS[method]({ ...message })
}
