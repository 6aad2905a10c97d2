interface Props {
  names: readonly string[]
  /** Which of them is being done, from 0. */
  current: number
}

/** How far somebody has come. */
export function Steps({ names, current }: Props) {
  return (
    <ol className="flex flex-wrap gap-x-5 gap-y-1 border-line border-b pb-3 text-sm">
      {names.map((name, at) => (
        <li
          key={name}
          aria-current={at === current ? 'step' : undefined}
          className="flex items-baseline gap-1.5 text-faded aria-[current=step]:font-medium aria-[current=step]:text-ink"
        >
          {at < current ? <Done /> : <span className="font-display">{at + 1}.</span>}
          {name}
        </li>
      ))}
    </ol>
  )
}

function Done() {
  return (
    <svg
      role="img"
      aria-label="Done:"
      viewBox="0 0 12 12"
      className="size-3 fill-none stroke-accent"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="m1.5 6.5 3 3 6-7" />
    </svg>
  )
}
