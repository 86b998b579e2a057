import PlainValue

final class Person {}

// A plain value holds no references.
func value(_ person: Person) -> Value {
    ["person": person]  // error: cannot convert value of type 'Person'
}
