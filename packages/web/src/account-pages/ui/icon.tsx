interface Props {
  /** Drawn on 24 by 24. */
  path: string
  /** Classes for another size or colour. */
  look?: string
}

/** A drawing of ours. It is only for the eye: words beside it say the same. */
export function Icon({ path, look = '' }: Props) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={`svc-icon ${look}`}>
      <path d={path} />
    </svg>
  )
}
