/** Where the API is. */
export const apiUrl = process.env.SVC_API_URL ?? 'http://localhost:8790'

export const isDevelopment = process.env.NODE_ENV === 'development'
