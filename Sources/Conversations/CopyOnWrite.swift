/// A value that is copied when it is changed while somebody else holds it too, and not when it is handed on.
///
/// For values of many parts that are looked at far more often than changed: to hand one on costs one reference,
/// whatever its size.
@propertyWrapper
package struct CopyOnWrite<Value> {
    @usableFromInline
    final class Box {
        @usableFromInline var value: Value

        @usableFromInline
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box

    /// Holds a value.
    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value; what is read of it is read in place.
    @inlinable package var wrappedValue: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
