import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { judgedQueriesQuery, type JudgedSet } from '../../api/judged-sets.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { FileDrop } from '../../parts/fields/file-drop.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { saveFile } from '../../parts/tables/save-file.ts'
import { Section } from '../../parts/layout/section.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { linesFrom, linesOf } from './lines.ts'
import { useImport } from './queries.ts'
import { useJudgedSetWords } from './words.ts'

const LINES_MAX = 500

/** Imports and exports the searches of a set as JSON Lines. */
export function JudgedFile({ set }: { readonly set: JudgedSet }) {
  const { words: common, formats } = useLanguage()
  const { file: words } = useJudgedSetWords()
  const { data: queries = [] } = useQuery(judgedQueriesQuery(set.id))
  const [faults, setFaults] = useState<readonly string[]>([])
  const [refusal, setRefusal] = useState<string | null>(null)
  const store = useImport(set.id)
  const take = async (file: File): Promise<void> => {
    const { lines, bad } = linesOf(await file.text())
    const faultAt = (line: number, what: string): string => words.line(formats.number(line), what)
    setFaults(bad.map((line) => faultAt(line, words.notJson)))
    setRefusal(null)
    if (bad.length > 0) return
    if (lines.length === 0 || lines.length > LINES_MAX) {
      setRefusal(lines.length === 0 ? words.empty : words.tooMany)
      return
    }
    store.mutate(
      lines.map(({ value }) => value),
      {
        onSuccess: ({ added, replaced }) => sayDone(words.stored(formats.number(added), formats.number(replaced))),
        onError: (error) => {
          if (!(error instanceof ApiFault) || error.status === 409 || error.status !== 422) {
            setRefusal(error instanceof ApiFault && error.status === 409 ? words.tooMany : faultText(error, common))
            return
          }
          const lineFaults = error.details.map(({ loc, type }) =>
            faultAt(
              lines[Number(loc[2])]?.line ?? 0,
              type === 'reference_not_found' ? words.unknownId : words.otherFault,
            ),
          )
          setFaults([...new Set(lineFaults)])
        },
      },
    )
  }
  return (
    <Section title={words.title} help={words.help}>
      <div className="stack judged-file">
        <FileDrop
          label={words.drop}
          accepts={['.jsonl', '.ndjson']}
          isSingle
          onFiles={([file]) => void (file === undefined ? undefined : take(file))}
        />
        {refusal === null && faults.length === 0 ? null : (
          <Notice tone="danger" role="alert">
            {refusal === null ? <p>{words.refused}</p> : <p>{refusal}</p>}
            {faults.length === 0 ? null : (
              <ul>
                {faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        <Button isDisabled={queries.length === 0} onPress={() => saveFile(`${set.name}.jsonl`, linesFrom(queries))}>
          {words.export}
        </Button>
      </div>
    </Section>
  )
}
