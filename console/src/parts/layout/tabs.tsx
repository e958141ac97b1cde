import type { ReactNode } from 'react'
import { type Key, Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'

/** Shows one of several parts of a page, by tabs. Keep `chosen` in the address, so that links and Back work. */
export function Tabs<Id extends string>(props: {
  readonly label: string
  readonly tabs: readonly { readonly id: Id; readonly name: string; readonly content: ReactNode }[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
}) {
  return (
    <AriaTabs className="tabs" selectedKey={props.chosen} onSelectionChange={(key: Key) => props.onChoose(key as Id)}>
      <TabList className="tab-list" aria-label={props.label}>
        {props.tabs.map(({ id, name }) => (
          <Tab key={id} id={id} className="tab">
            {name}
          </Tab>
        ))}
      </TabList>
      {props.tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tab-panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
