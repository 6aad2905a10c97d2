interface Props {
  /** What went wrong; it is read out at once. */
  problem?: string
  /** What has been done. */
  done?: string
}

/** What came of a form. Both lines are always there: a screen reader tells what changes in them. */
export function Outcome({ problem = '', done = '' }: Props) {
  return (
    <div className="text-sm">
      <p role="status" className="text-faded">
        {problem ? '' : done}
      </p>
      <p role="alert" className="text-danger">
        {problem}
      </p>
    </div>
  )
}
