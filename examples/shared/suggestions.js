import { element, marked } from './dom.js'

/**
 * A list of suggestions below an input, by mouse and by keyboard (the combobox pattern of WAI-ARIA).
 *
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 * @param {(text: string) => void} take called with the suggestion that somebody chose
 */
export function suggestionList(input, list, take) {
  const options = () => [...list.children]
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    for (const option of options()) option.setAttribute('aria-selected', 'false')
  }
  /** Moves the selection down (1) or up (-1), round the ends. */
  const select = (step) => {
    const all = options()
    if (list.hidden || all.length === 0) return
    const now = all.findIndex((option) => option.getAttribute('aria-selected') === 'true')
    const next = (now + step + (now < 0 && step < 0 ? 1 : 0) + all.length) % all.length
    for (const [i, option] of all.entries()) option.setAttribute('aria-selected', String(i === next))
    input.setAttribute('aria-activedescendant', all[next].id)
    all[next].scrollIntoView({ block: 'nearest' })
  }
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    select(event.key === 'ArrowDown' ? 1 : -1)
  })
  input.addEventListener('blur', close)

  return {
    close,

    /** @param {{ text: string, kind: string }[]} suggestions @param {string} typed */
    show(suggestions, typed) {
      // Somebody has moved on meanwhile.
      if (document.activeElement !== input) return
      list.dataset.query = typed
      list.replaceChildren(
        ...suggestions.map(({ text, kind }, i) => {
          const option = element(
            'li',
            { id: `suggestion-${i}`, role: 'option', 'aria-selected': 'false' },
            element('span', {}, ...marked(text, typed)),
            element('span', { class: 'kind' }, kind),
          )
          // Before the input loses the focus, which closes the list.
          option.addEventListener('mousedown', (event) => event.preventDefault())
          option.addEventListener('click', () => take(text))
          return option
        }),
      )
      list.hidden = suggestions.length === 0
      input.setAttribute('aria-expanded', String(!list.hidden))
      input.removeAttribute('aria-activedescendant')
    },

    /** Takes the selected suggestion, or closes the list. @returns whether there was one */
    submit() {
      const selected = list.querySelector('[aria-selected=true]')
      if (selected === null || list.hidden) close()
      else selected.click()
      return selected !== null
    },
  }
}
