import type { Entry } from '../../api/entries.ts'
import { differingNames, fieldsOf } from '../../api/entry-fields.ts'
import { FieldDifferences } from '../../parts/text/field-differences.tsx'
import { TextDiff } from '../../parts/text/text-diff.tsx'

/** Shows the differences of two states of an entry: the text, then the other fields. */
export function EntryDiff(props: { readonly before: Entry; readonly after: Entry }) {
  const [before, after] = [fieldsOf(props.before), fieldsOf(props.after)]
  return (
    <div className="stack">
      <FieldDifferences
        before={before}
        after={after}
        names={differingNames(before, after).filter((name) => name !== 'content')}
      />
      <TextDiff before={before.content} after={after.content} lang={after.language} />
    </div>
  )
}
