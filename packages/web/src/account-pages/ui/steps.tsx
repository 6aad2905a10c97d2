import { useSay } from '../provider/account-provider.tsx'
import type { AccountSentence } from '../words/account-words.ts'

interface Props {
  names: readonly AccountSentence[]
  /** The current step, from 0. */
  current: number
}

/** How far the user has come. */
export function Steps({ names, current }: Props) {
  const say = useSay()
  return (
    <ol className="svc-steps">
      {names.map((name, at) => (
        <li key={name} aria-current={at === current ? 'step' : undefined} className="svc-step">
          {at < current ? <Done /> : <span className="svc-display">{at + 1}.</span>}
          {say(name)}
        </li>
      ))}
    </ol>
  )
}

function Done() {
  const say = useSay()
  return (
    <svg
      role="img"
      aria-label={say('Done:')}
      viewBox="0 0 12 12"
      className="svc-icon svc-icon-small"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="m1.5 6.5 3 3 6-7" />
    </svg>
  )
}
