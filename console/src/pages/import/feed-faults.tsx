import { useEffect, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { type FeedContent, lineText } from './feed-content.ts'
import type { PushResult } from './feed-send.ts'
import { Faults } from './faults.tsx'
import type { ImportFault } from './import-run.ts'
import { useImportWords } from './words.ts'

/** Lists the products that could not be imported, each with its line or place in the file. */
export function FeedFaults(props: {
  readonly name: string
  readonly content: FeedContent
  readonly result: PushResult
}) {
  const { name, content, result } = props
  const { feed: words } = useImportWords()
  const { formats } = useLanguage()
  const [faults, setFaults] = useState<readonly ImportFault[]>([])
  useEffect(() => {
    let isCurrent = true
    const find = async (): Promise<void> => {
      const list = await faultsOf(name, content, result)
      if (isCurrent) setFaults(list)
    }
    void find()
    return () => {
      isCurrent = false
    }
  }, [name, content, result])
  const failed = result.finished?.failed ?? 0
  return (
    <>
      {failed > faults.length && faults.length > 0 ? (
        <p className="quiet">{words.firstFaults(formats.number(faults.length), formats.number(failed))}</p>
      ) : null}
      <Faults
        faults={faults}
        place={content.unit === 'line' ? undefined : (line) => words.product(name, formats.number(line))}
        help={words.faultsHelp}
      />
    </>
  )
}

function faultsOf(name: string, content: FeedContent, { failures }: PushResult): Promise<ImportFault[]> {
  return Promise.all(
    failures.map(async ({ line, detail }) => {
      const readFault = content.faults.get(line)
      const place = { file: name, line: content.places[line - 1] ?? line }
      return readFault === undefined
        ? { ...place, raw: await lineText(content, line), reason: null, details: detail }
        : {
            ...place,
            raw: null,
            reason: readFault === 'tooLarge' ? ('productTooLarge' as const) : readFault,
            details: [],
          }
    }),
  )
}
