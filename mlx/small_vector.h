// A vector that keeps its first N elements inside itself, so that shapes and strides need no allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace mlx::core {

template <typename T, size_t N = 6>
class SmallVector {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  SmallVector() noexcept {}
  explicit SmallVector(size_t count, const T& value = T()) { resize(count, value); }
  SmallVector(std::initializer_list<T> values) : SmallVector(values.begin(), values.end()) {}
  template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
  SmallVector(It first, It last) {
    reserve(static_cast<size_t>(std::distance(first, last)));
    for (; first != last; ++first) push_back(*first);
  }
  SmallVector(const SmallVector& other) : SmallVector(other.begin(), other.end()) {}
  SmallVector(SmallVector&& other) noexcept { take(std::move(other)); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      clear();
      reserve(other.size_);
      for (const T& v : other) push_back(v);
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      release();
      take(std::move(other));
    }
    return *this;
  }
  ~SmallVector() { release(); }

  iterator begin() noexcept { return data(); }
  iterator end() noexcept { return data() + size_; }
  const_iterator begin() const noexcept { return data(); }
  const_iterator end() const noexcept { return data() + size_; }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }

  size_t size() const noexcept { return size_; }
  size_t capacity() const noexcept { return heap_ ? heap_capacity_ : N; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return heap_ ? heap_ : inline_data(); }
  const T* data() const noexcept { return heap_ ? heap_ : inline_data(); }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& at(size_t i) { return data()[check(i)]; }
  const T& at(size_t i) const { return data()[check(i)]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void reserve(size_t wanted) {
    if (wanted <= capacity()) return;
    T* fresh = static_cast<T*>(::operator new(wanted * sizeof(T)));
    std::uninitialized_move(begin(), end(), fresh);
    std::destroy(begin(), end());
    ::operator delete(heap_);
    heap_ = fresh;
    heap_capacity_ = static_cast<uint32_t>(wanted);
  }
  template <typename... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == capacity()) {
      T value(std::forward<Args>(args)...);  // an argument may live in this vector
      reserve(2 * size_ + 1);
      new (data() + size_) T(std::move(value));
    } else {
      new (data() + size_) T(std::forward<Args>(args)...);
    }
    return data()[size_++];
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  void pop_back() { data()[--size_].~T(); }
  void clear() noexcept {
    std::destroy(begin(), end());
    size_ = 0;
  }
  void resize(size_t count) { resize(count, T()); }
  void resize(size_t count, const T& value) {
    while (size_ > count) pop_back();
    reserve(count);
    while (size_ < count) push_back(value);
  }
  iterator insert(const_iterator where, const T& value) {
    size_t at = static_cast<size_t>(where - begin());
    emplace_back(value);
    std::rotate(begin() + at, end() - 1, end());
    return begin() + at;
  }
  iterator insert(const_iterator where, size_t count, const T& value) {
    size_t at = static_cast<size_t>(where - begin());
    size_t old = size_;
    T copy(value);
    for (size_t i = 0; i < count; i++) emplace_back(copy);
    std::rotate(begin() + at, begin() + old, end());
    return begin() + at;
  }
  template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
  iterator insert(const_iterator where, It first, It last) {
    size_t at = static_cast<size_t>(where - begin());
    size_t old = size_;
    for (; first != last; ++first) emplace_back(*first);
    std::rotate(begin() + at, begin() + old, end());
    return begin() + at;
  }
  iterator erase(const_iterator where) { return erase(where, where + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    iterator to = begin() + (first - begin());
    iterator rest = std::move(begin() + (last - begin()), end(), to);
    while (end() != rest) pop_back();
    return to;
  }
  void swap(SmallVector& other) noexcept { std::swap(*this, other); }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }
  friend bool operator!=(const SmallVector& a, const SmallVector& b) { return !(a == b); }

 private:
  size_t check(size_t i) const {
    if (i >= size_) throw std::out_of_range("[SmallVector::at] Index out of range.");
    return i;
  }
  T* inline_data() noexcept { return reinterpret_cast<T*>(inline_); }
  const T* inline_data() const noexcept { return reinterpret_cast<const T*>(inline_); }
  void take(SmallVector&& other) noexcept {
    if (other.heap_) {
      heap_ = std::exchange(other.heap_, nullptr);
      heap_capacity_ = other.heap_capacity_;
      size_ = std::exchange(other.size_, 0);
    } else {
      std::uninitialized_move(other.begin(), other.end(), inline_data());
      size_ = other.size_;
      other.clear();
    }
  }
  void release() noexcept {
    clear();
    ::operator delete(std::exchange(heap_, nullptr));
  }

  T* heap_ = nullptr;
  uint32_t size_ = 0;
  uint32_t heap_capacity_ = 0;
  alignas(T) unsigned char inline_[N * sizeof(T)];
};

}  // namespace mlx::core
