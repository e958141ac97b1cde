import { useQuery } from '@tanstack/react-query'
import { FilePlus, FileUp, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { PathLink } from '../../parts/layout/path-link.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { sampleQuery, useAddSample, useRemoveSample } from './queries.ts'
import type { SampleLine } from './sample/line.ts'
import { useFirstStepsWords } from './words.ts'

const SAMPLES = { en: () => import('./sample/en.ts'), de: () => import('./sample/de.ts') } satisfies Record<
  string,
  () => Promise<{ readonly lines: readonly SampleLine[] }>
>

/** Shows three ways to begin: files, a text of one's own, or a sample to try things with. */
export function ContentStep() {
  const words = useFirstStepsWords()
  return (
    <>
      <p>{words.contentText}</p>
      <div className="first-steps-ways">
        <PathLink to="/console/import" className="button">
          <FileUp className="icon" size={16} aria-hidden />
          {words.import}
        </PathLink>
        <PathLink to="/console/entries/new" className="button">
          <FilePlus className="icon" size={16} aria-hidden />
          {words.write}
        </PathLink>
      </div>
      <Sample />
    </>
  )
}

function Sample() {
  const { words: common, language } = useLanguage()
  const words = useFirstStepsWords()
  const sample = useQuery(sampleQuery)
  const adding = useAddSample()
  const removing = useRemoveSample()
  const [isAsking, setAsking] = useState(false)
  const add = async (): Promise<void> => {
    const { lines } = await lazyFile(SAMPLES[language])
    adding.mutate(lines, { onSuccess: () => sayDone(words.sampleAdded(lines.length)) })
  }
  return (
    <div className="first-steps-sample">
      <p>
        <strong>{words.sample}</strong>
        <span className="second">{words.sampleHelp}</span>
      </p>
      {adding.isError ? (
        <Notice tone="danger" role="alert">
          {faultText(adding.error, common)}
        </Notice>
      ) : null}
      <QueryView query={sample}>
        {(there) =>
          there.length === 0 ? (
            <Button icon={Sparkles} isPending={adding.isPending} onPress={() => void add()}>
              {words.addSample}
            </Button>
          ) : (
            <>
              <p>{words.sampleThere(there.length)}</p>
              <Button onPress={() => setAsking(true)}>{words.removeSample}</Button>
              {isAsking ? (
                <ConfirmDialog
                  title={words.removeTitle}
                  text={words.removeText(there.length)}
                  confirm={words.remove}
                  isBusy={removing.isPending}
                  error={removing.error}
                  onConfirm={() =>
                    removing.mutate(there, {
                      onSuccess: () => {
                        setAsking(false)
                        sayDone(words.removed)
                      },
                    })
                  }
                  onClose={() => setAsking(false)}
                />
              ) : null}
            </>
          )
        }
      </QueryView>
    </div>
  )
}
