import { useToast } from './use-toast.ts'

interface Props {
  /** What went wrong. A screen reader reads it at once. */
  problem?: string
  /** What has been done. On a page with toasts it is one of them. */
  done?: string
  /** Takes back what has been done. */
  undo?: (() => void) | undefined
}

/**
 * The result of a form. Both lines are always there, so that a screen reader announces a change.
 */
export function Outcome({ problem = '', done = '', undo }: Props) {
  const said = problem ? '' : done
  const isToast = useToast(said, undo)
  return (
    <div className="svc-small svc-outcome">
      {!isToast && (
        <p role="status" className="svc-faded">
          {said}
        </p>
      )}
      <p role="alert" className="svc-problem">
        {problem}
      </p>
    </div>
  )
}
