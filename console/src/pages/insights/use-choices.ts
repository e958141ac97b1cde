import { getRouteApi } from '@tanstack/react-router'
import type { InsightsChoices, FigureName } from './choices.ts'

const route = getRouteApi('/signed-in/console/insights')

type ChoiceChanges = { readonly [Name in keyof InsightsChoices]: InsightsChoices[Name] | undefined }

/** Reads the choices from the address, and changes them there. Each choice is a step of the browser's history. */
export function useChoices() {
  const choices = route.useSearch()
  const navigate = route.useNavigate()
  const choose = (choice: ChoiceChanges): void =>
    void navigate({ search: (before) => withoutUndefined({ ...before, ...choice }), resetScroll: false })
  return {
    choices,
    choose,
    isTable: (name: FigureName): boolean => choices.tables?.includes(name) === true,
    showTable: (name: FigureName, isTable: boolean): void => {
      const others = (choices.tables ?? []).filter((each) => each !== name)
      const tables = isTable ? [...others, name] : others
      choose({ tables: tables.length === 0 ? undefined : tables })
    },
  }
}

/** Returns the choices without those that are undefined. */
function withoutUndefined(choices: ChoiceChanges): InsightsChoices {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined))
}
