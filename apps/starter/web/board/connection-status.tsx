import { useWords } from '../words/languages.tsx'
import type { LoadProblem } from './load-problem.ts'

interface Props {
  problem: LoadProblem | null
  /** New notices appear as they are posted. */
  isLive: boolean
}

export function ConnectionStatus({ problem, isLive }: Props) {
  const board = useWords('board')
  const connected = isLive ? board.connectedLive : board.connected
  const away = problem === 'error' ? board.error : board.noAnswer
  return (
    <p role="status" className="flex items-center gap-2 text-faded text-sm">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${problem ? 'bg-danger' : 'bg-accent'}`}
      />
      {problem ? away : connected}
    </p>
  )
}
