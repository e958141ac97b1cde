import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'
import { proved } from '../../api/proved.ts'
import { etagOf, type Versioned } from '../../api/versioned.ts'

export type SignInRules = AnswerOf<'/api/knowledge/sign-in-rules', 'get'>
export type SignInGroup = SignInRules['groups'][number]
export type Provider = NonNullable<AnswerOf<'/api/knowledge/sign-in-provider', 'get'>['provider']>

export const RULES_KEY = ['sign-in-rules'] as const

/** The company account that the operator has connected; null without one. */
export const providerQuery = queryOptions({
  queryKey: ['sign-in-provider'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/knowledge/sign-in-provider', { signal }))).provider,
})

export async function readRules(signal?: AbortSignal): Promise<Versioned<SignInRules>> {
  const call = api.GET('/api/knowledge/sign-in-rules', { signal })
  return { value: await answerOf(call), etag: etagOf((await call).response) }
}

/** Writes the rules. @throws ApiFault with 412 when another person's change came first */
export async function writeRules(
  _changes: Partial<SignInRules>,
  body: SignInRules,
  etag: string,
): Promise<Versioned<SignInRules>> {
  return proved({ kind: 'rules' }, async (confirmation) => {
    const header = { 'If-Match': etag }
    const call = api.PUT('/api/knowledge/sign-in-rules', { body: { ...body, confirmation }, params: { header } })
    return { value: await answerOf(call), etag: etagOf((await call).response) }
  })
}
