import type { RoutePlugin } from '../../platform/http/route.ts'
import { LaboratoryAnswer, LaboratorySearch, MissingAnswer, MissingQuestion } from './contract.ts'
import type { LaboratoryRules } from './rules.ts'

const BASE = '/api/knowledge/laboratory'
const tags = ['Search laboratory']
const scopes = ['tenant:admin', 'knowledge:read', 'products:read'] as const

export function laboratoryRoutes(rules: LaboratoryRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: `${BASE}/search`,
      schema: {
        operationId: 'compareSearchModes',
        tags,
        summary: 'Search in the three modes, with what each part contributed',
        description:
          'Through the eyes of a role or of a lower ceiling, if the search names one; this is audited. Nothing is ' +
          'logged as a search.',
        body: LaboratorySearch,
        response: { 200: LaboratoryAnswer },
      },
      config: { scopes, errors: [507] },
      handler: ({ caller, body }) => rules.search(caller, body),
    })
    app.route({
      method: 'POST',
      url: `${BASE}/missing`,
      schema: {
        operationId: 'explainMissingHit',
        tags,
        summary: 'Say why a search does not find an entry or product',
        description:
          'What the caller may not see, such as an entry above the own ceiling or a private note of somebody else, is ' +
          'refused like an id that does not exist.',
        body: MissingQuestion,
        response: { 200: MissingAnswer },
      },
      config: { scopes, errors: [507] },
      handler: ({ caller, body }) => rules.missing(caller, body),
    })
  }
}
