import { useState } from 'react'
import { api, type Notice } from '../api.ts'

interface Listeners {
  onPosted: (notice: Notice) => void
  onFailed?: (error: unknown) => void
}

/** Posts one notice at a time, and says how it went. */
export function usePostNotice({ onPosted, onFailed }: Listeners) {
  const [isPosting, setPosting] = useState(false)
  const [success, setSuccess] = useState('')
  const [failure, setFailure] = useState<unknown>(null)

  async function post(text: string) {
    if (isPosting) return
    setPosting(true)
    setSuccess('')
    setFailure(null)
    try {
      onPosted(await api.createNotice.call({ body: { text } }))
      setSuccess('Your notice is on the board.')
    } catch (error) {
      setFailure(error)
      onFailed?.(error)
    }
    setPosting(false)
  }

  return { post, isPosting, success, failure }
}
