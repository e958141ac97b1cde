import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  ToggleButton as AriaToggle,
} from 'react-aria-components'

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  /**
   * Look of the button: `main` for the one step that a page or dialog is for, `danger` for an action that cannot be
   * undone, `quiet` in rows.
   */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'small'
  /** Whether the button is as wide as its place. */
  readonly isBlock?: boolean
  readonly icon?: LucideIcon
  readonly children?: ReactNode
}

const ICON_PX = 16

/** Shows a button. While `isPending` it keeps the focus and its name, and does nothing when pressed. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', size = 'normal', isBlock = false, isPending = false, icon: Icon, children, ...rest } = props
  const name = classOf(kind, size, isBlock)
  return (
    <AriaButton
      {...rest}
      // React Aria's own `isPending` announces by an empty image, which axe-core takes for a picture without a text.
      {...(isPending ? { onPress: undefined, type: 'button' } : {})}
      // A class, because React Aria writes its own `data-pending` over ours.
      className={isPending ? `${name} button-waiting` : name}
    >
      {Icon === undefined ? null : <Icon className="icon" size={ICON_PX} aria-hidden />}
      {children}
    </AriaButton>
  )
}

/** Shows a button with an icon alone; its name is read out. */
export function IconButton(
  props: Omit<ButtonProps, 'children' | 'isBlock' | 'icon'> & { readonly icon: LucideIcon; readonly label: string },
) {
  const { kind = 'quiet', size = 'normal', icon: Icon, label, ...rest } = props
  return (
    <AriaButton {...rest} aria-label={label} className={`${classOf(kind, size, false)} button-icon`}>
      <Icon className="icon" size={18} aria-hidden />
    </AriaButton>
  )
}

/** Shows a button that stays pressed. */
export function ToggleButton(props: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}) {
  return (
    <AriaToggle className="button button-toggle" isSelected={props.isOn} onChange={props.onChange}>
      {props.children}
    </AriaToggle>
  )
}

function classOf(
  kind: NonNullable<ButtonProps['kind']>,
  size: NonNullable<ButtonProps['size']>,
  isBlock: boolean,
): string {
  return [
    'button',
    kind === 'plain' ? '' : `button-${kind}`,
    size === 'small' ? 'button-small' : '',
    isBlock ? 'button-block' : '',
  ]
    .filter((name) => name !== '')
    .join(' ')
}
