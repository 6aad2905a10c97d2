import { useAction } from '@svc/web/react'
import { useState } from 'react'
import { api, type Notice } from '../api.ts'
import { useWords } from '../words/languages.tsx'

interface Listeners {
  onPosted: (notice: Notice) => void
  onFailed?: () => void
}

/** Posts one notice at a time, and says how it went. */
export function usePostNotice({ onPosted, onFailed }: Listeners) {
  const board = useWords('board')
  const [success, setSuccess] = useState('')
  const posting = useAction(async (text: string) => {
    setSuccess('')
    try {
      onPosted(await api.createNotice.call({ body: { text } }))
    } catch (error) {
      onFailed?.()
      throw error
    }
    setSuccess(board.posted)
  })
  return { post: posting.run, isPosting: posting.isRunning, success, failure: posting.error }
}
