// Blocks of one size, kept in a short list per thread.
#pragma once

#include <cstddef>
#include <new>

namespace mlx::core {

template <size_t Size>
class Slab {
 public:
  static void* take(size_t size) {
    List& list = list_();
    if (size != Size || !list.head) return ::operator new(size < Size ? Size : size);
    list.count--;
    Block* block = list.head;
    list.head = block->next;
    return block;
  }

  static void give(void* memory) {
    List& list = list_();
    if (list.count >= limit) return ::operator delete(memory);
    Block* block = new (memory) Block{list.head};
    list.head = block;
    list.count++;
  }

 private:
  struct Block {
    Block* next;
  };
  struct List {
    Block* head = nullptr;
    size_t count = 0;
    ~List() {
      count = limit;  // blocks that come back later go to the heap
      while (head) {
        Block* next = head->next;
        ::operator delete(head);
        head = next;
      }
    }
  };
// The sanitizers must see every block come and go.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr size_t limit = 0;
#else
  static constexpr size_t limit = 1024;
#endif
  static List& list_() {
    static thread_local List list;
    return list;
  }
};

}  // namespace mlx::core
