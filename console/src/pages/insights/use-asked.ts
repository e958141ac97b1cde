import { getRouteApi } from '@tanstack/react-router'
import type { Asked, FigureName } from './asked.ts'

const route = getRouteApi('/signed-in/console/insights')

type Choices = { readonly [Name in keyof Asked]: Asked[Name] | undefined }

/** What the address asks for, and what changes it. Each choice is a step of the browser's history. */
export function useAsked() {
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const choose = (choice: Choices): void =>
    void navigate({ search: (before) => without({ ...before, ...choice }), resetScroll: false })
  return {
    asked,
    choose,
    isTable: (name: FigureName): boolean => asked.tables?.includes(name) === true,
    showTable: (name: FigureName, isTable: boolean): void => {
      const others = (asked.tables ?? []).filter((each) => each !== name)
      const tables = isTable ? [...others, name] : others
      choose({ tables: tables.length === 0 ? undefined : tables })
    },
  }
}

/** The choices that are made. */
function without(choices: Choices): Asked {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined))
}
