import { queryOptions, useMutation } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'

export type Interaction = AnswerOf<'/oauth/interaction/{uid}/details', 'get'>

/** What an assistant asks for; asked anew each time, because an interaction is over soon. */
export const interactionQuery = (uid: string) =>
  queryOptions({
    queryKey: ['interaction', uid],
    queryFn: () => answerOf(api.GET('/oauth/interaction/{uid}/details', { params: { path: { uid } } })),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })

export type InteractionStep =
  | { readonly step: 'continue' }
  | { readonly step: 'allow'; readonly scopes: string[] }
  | { readonly step: 'deny' }

/** Takes the interaction further; answers where the browser goes next. */
export function useInteractionStep(uid: string) {
  const params = { path: { uid } }
  return useMutation({
    mutationFn: async (step: InteractionStep): Promise<string> => {
      switch (step.step) {
        case 'continue':
          return (await answerOf(api.POST('/oauth/interaction/{uid}/continue', { params, body: {} }))).location
        case 'deny':
          return (await answerOf(api.POST('/oauth/interaction/{uid}/deny', { params, body: {} }))).location
        case 'allow': {
          const body = { scopes: step.scopes }
          return (await answerOf(api.POST('/oauth/interaction/{uid}/consent', { params, body }))).location
        }
      }
    },
    meta: { signsIn: true },
  })
}
