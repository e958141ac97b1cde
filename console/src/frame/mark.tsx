import mark from '../mark.svg'

export function Mark() {
  return <img className="mark" src={mark} width="28" height="28" alt="" />
}
