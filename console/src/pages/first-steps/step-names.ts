/** Steps of the first five minutes, in their order. */
export const STEPS = ['name', 'content', 'search', 'invite', 'assistant'] as const
export type Step = (typeof STEPS)[number]

export const isStep = (name: unknown): name is Step => STEPS.some((step) => step === name)
