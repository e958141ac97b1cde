import { useQueries, useQuery } from '@tanstack/react-query'
import { ArrowUp, X } from 'lucide-react'
import { useState } from 'react'
import { ComboBox, Input, type Key, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { productQuery } from '../../api/products.ts'
import { IconButton } from '../../parts/layout/button.tsx'
import { FieldLabel, FieldNotes } from '../../parts/fields/text-field.tsx'
import { useSettled } from '../../parts/fields/use-settled.ts'
import { choicesQuery } from './queries.ts'
import { useMerchandisingWords } from './words.ts'

/** Lets people choose products by their names, and put them in order. */
export function ProductPicker(props: {
  readonly siteId: string
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}) {
  const words = useMerchandisingWords()
  const { siteId, chosen, onChange } = props
  const [typed, setTyped] = useState('')
  const search = useSettled(typed.trim())
  const hits = useQuery({ ...choicesQuery(siteId, search), enabled: search !== '' }).data?.products ?? []
  const products = useQueries({ queries: chosen.map((id) => productQuery(id)) })
  const offered = hits.filter(({ id }) => !chosen.includes(id))
  return (
    <div className="rule-products">
      <ComboBox
        className="field"
        name="product_ids"
        items={typed.trim() === '' ? [] : offered}
        inputValue={typed}
        onInputChange={setTyped}
        value={null}
        onChange={(key: Key | null) => {
          if (key === null) return
          onChange([...chosen, String(key)])
          setTyped('')
        }}
        // The service has filtered already.
        defaultFilter={() => true}
        menuTrigger="input"
        allowsCustomValue
        // The products arrive a moment after the typing; without this the list would have closed by then.
        allowsEmptyCollection={typed.trim() !== ''}
        validationBehavior="aria"
      >
        <FieldLabel label={words.products} />
        <Input placeholder={words.findProduct} />
        <FieldNotes help={words.productsHelp} />
        <Popover className="popover">
          <ListBox className="list-box" renderEmptyState={() => <p className="rule-no-product">{words.nothing}</p>}>
            {({ id, title, brand }: (typeof offered)[number]) => (
              <ListBoxItem id={id} textValue={title} className="option">
                <span>
                  {title}
                  <span className="second">{brand}</span>
                </span>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      {chosen.length === 0 ? null : (
        <ol className="rule-chosen" aria-label={words.products}>
          {chosen.map((id, i) => {
            const name = products[i]?.data?.title ?? id
            return (
              <li key={id}>
                <span className="wrap">{name}</span>
                <span className="row">
                  {i === 0 ? null : (
                    <IconButton
                      icon={ArrowUp}
                      size="small"
                      label={words.up(name)}
                      onPress={() => onChange(raised(chosen, i))}
                    />
                  )}
                  <IconButton
                    icon={X}
                    size="small"
                    label={words.takeOut(name)}
                    onPress={() => onChange(chosen.filter((each) => each !== id))}
                  />
                </span>
              </li>
            )
          })}
        </ol>
      )}
    </div>
  )
}

function raised(ids: readonly string[], at: number): readonly string[] {
  const [before, moved] = [ids[at - 1], ids[at]]
  if (before === undefined || moved === undefined) return ids
  return ids.map((id, i) => (i === at - 1 ? moved : i === at ? before : id))
}
