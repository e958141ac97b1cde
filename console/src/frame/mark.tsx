import mark from './mark.svg'

export function Mark() {
  return <img className="mark-image" src={mark} width="28" height="28" alt="" />
}
