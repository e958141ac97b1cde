import { Check, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  type Selection,
} from 'react-aria-components'

export interface Action {
  readonly id: string
  readonly name: string
  readonly icon?: LucideIcon
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  readonly onAction: () => void
}

/** A group of menu items of which one is chosen. */
export interface MenuChoice {
  readonly id: string
  readonly title: string
  readonly options: readonly { readonly id: string; readonly name: string; readonly lang?: string }[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** Shows a menu that a button opens. @param props.button the button @param props.head content above the items */
export function Menu(props: {
  readonly label: string
  readonly button: ReactNode
  readonly head?: ReactNode
  readonly choices?: readonly MenuChoice[]
  readonly actions: readonly Action[]
}) {
  const { choices = [], actions } = props
  return (
    <MenuTrigger>
      {props.button}
      <Popover className="popover menu-popover" placement="bottom end">
        {props.head}
        <AriaMenu className="menu" aria-label={props.label}>
          {choices.map(({ id, title, options, chosen, onChoose }) => (
            <MenuSection
              key={id}
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[chosen]}
              onSelectionChange={(keys: Selection) => {
                const [first] = keys === 'all' ? [] : [...keys]
                if (first !== undefined) onChoose(String(first))
              }}
            >
              <Header className="menu-title">{title}</Header>
              {options.map((option) => (
                <MenuItem key={option.id} id={option.id} textValue={option.name} className="option">
                  <Check className="icon option-check" size={16} aria-hidden />
                  <span lang={option.lang}>{option.name}</span>
                </MenuItem>
              ))}
            </MenuSection>
          ))}
          {choices.length > 0 && actions.length > 0 ? <Separator className="menu-line" /> : null}
          {actions.map(({ id, name, icon: Icon, isDanger, isDisabled, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={name}
              isDisabled={isDisabled}
              onAction={onAction}
              className={isDanger === true ? 'option option-danger' : 'option'}
            >
              {Icon === undefined ? null : <Icon className="icon" size={16} aria-hidden />}
              {name}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
