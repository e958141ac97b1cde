import { useState } from 'react'
import type { EntryFields } from '../../api/entry-fields.ts'
import { useWords } from '../../i18n/language.tsx'
import { fieldFaults } from '../../parts/editing/field-faults.ts'
import { METADATA_FIELDS } from './metadata-fields.ts'
import { useEditorWords } from './words.ts'

const NAMES = [
  'title',
  'content',
  'category_id',
  'type',
  'visibility',
  'summary',
  'layer',
  'language',
  'tags',
  'search_keywords',
  'workspace_id',
  'url',
  'metadata',
]

/** Holds the faults of the fields: those found here before a save, and those of the service after it. */
export function useFaults(fields: EntryFields, error: unknown) {
  const common = useWords()
  const words = useEditorWords()
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({})
  const { type } = fields
  const details = type === 'knowledge' ? [] : METADATA_FIELDS[type].map(({ name }) => `metadata.${name}`)
  const { fields: serviceFaults, others } = fieldFaults(error, [...NAMES, ...details], common)
  return {
    others,
    hasFieldFaults: Object.keys(serviceFaults).length > 0,
    faultAt: (path: string): string | null => own[path] ?? serviceFaults[path]?.join(' ') ?? null,
    /** Looks for faults, and shows them. @returns whether the fields can be sent */
    check: (now: EntryFields): boolean => {
      const faults: Record<string, string> = {
        ...(now.title.trim() === '' ? { title: words.noTitle } : {}),
        ...(now.content.trim() === '' ? { content: words.noText } : {}),
        ...(now.category_id === null ? { category_id: words.noCategory } : {}),
        ...(now.url.trim() === '' || /^https?:\/\/\S+$/i.test(now.url.trim()) ? {} : { url: words.urlFault }),
      }
      setOwn(faults)
      return Object.keys(faults).length === 0
    },
  }
}
