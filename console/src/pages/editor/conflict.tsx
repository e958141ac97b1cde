import { useState } from 'react'
import type { Entry } from '../../api/entries.ts'
import { differingNames, type EntryFields, fieldsOf } from '../../api/entry-fields.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { FieldDifferences } from '../../parts/text/field-differences.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { TextDiff } from '../../parts/text/text-diff.tsx'
import { useEditorWords } from './words.ts'

type Comparison = 'mine' | 'theirs' | 'both'

/**
 * Shows both states beside each other when another person saved the entry first, and lets the person choose what to do.
 */
export function Conflict(props: {
  readonly base: EntryFields
  readonly mine: EntryFields
  readonly theirs: Entry
  readonly isBusy: boolean
  readonly onTakeTheirs: () => void
  readonly onCopy: () => void
  readonly onMerge: () => void
  readonly onOverwrite: () => void
}) {
  const { base, mine, isBusy } = props
  const { conflict: words } = useEditorWords()
  const { formats } = useLanguage()
  const [comparison, setComparison] = useState<Comparison>('both')
  const theirs = fieldsOf(props.theirs)
  const pairs: Readonly<Record<Comparison, readonly [EntryFields, EntryFields]>> = {
    both: [theirs, mine],
    mine: [base, mine],
    theirs: [base, theirs],
  }
  const choices = [
    { id: 'merge', name: words.merge, help: words.mergeHelp, run: props.onMerge },
    { id: 'copy', name: words.copy, help: words.copyHelp, run: props.onCopy },
    { id: 'overwrite', name: words.overwrite, help: words.overwriteHelp, run: props.onOverwrite },
    { id: 'theirs', name: words.takeTheirs, help: words.takeTheirsHelp, run: props.onTakeTheirs },
  ]
  return (
    <div className="conflict">
      <Notice tone="warning" role="alert">
        <p>
          <strong>{words.title}</strong>
        </p>
        <p>{words.text(formats.moment(props.theirs.updated_at))}</p>
      </Notice>
      <ul className="plain-list choices">
        {choices.map(({ id, name, help, run }, i) => (
          <li key={id} className="choice">
            <Button kind={i === 0 ? 'main' : 'plain'} isBlock onPress={run} isDisabled={isBusy}>
              {name}
            </Button>
            <span className="second">{help}</span>
          </li>
        ))}
      </ul>
      <div className="sides">
        <Side title={words.mine} fields={mine} />
        <Side title={words.theirs} fields={theirs} />
      </div>
      <Tabs
        label={words.compare}
        chosen={comparison}
        onChoose={setComparison}
        tabs={(['both', 'mine', 'theirs'] as const).map((id) => {
          const [before, after] = pairs[id]
          return {
            id,
            name: words.compareViews[id],
            content: (
              <div className="stack">
                <TextDiff before={before.content} after={after.content} lang={mine.language} />
                <FieldDifferences
                  before={before}
                  after={after}
                  names={differingNames(before, after).filter((name) => name !== 'content')}
                />
              </div>
            ),
          }
        })}
      />
    </div>
  )
}

function Side({ title, fields }: { readonly title: string; readonly fields: EntryFields }) {
  return (
    <section className="side-text">
      <h2>{title}</h2>
      <p className="side-title">{fields.title}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keyboard too */}
      <pre tabIndex={0} lang={fields.language === '' ? undefined : fields.language}>
        {fields.content}
      </pre>
    </section>
  )
}
