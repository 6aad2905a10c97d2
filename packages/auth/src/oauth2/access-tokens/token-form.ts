/** Common web servers refuse a header that is longer than 8 KiB with its name. */
export const longestToken = 8000

const opaque = /^[\w-]{43}$/
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Whether a text can be an access token at all. Which one it is, only the database knows. */
export const isTokenForm = (text: string) => opaque.test(text) || isJwtForm(text)

export const isJwtForm = (text: string) => text.length <= longestToken && jwt.test(text)
