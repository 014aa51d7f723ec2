//! Helpers for custom GPU kernels: tensor conversion, memory allocation and launches.

use crate::device::Gpu;
use burn::tensor::{DType, Shape, TensorPrimitive};
use burn_cubecl::kernel::into_contiguous_aligned;
use burn_cubecl::ops::numeric::empty_device_contiguous_dtype;
use burn_cubecl::tensor::CubeTensor;
use cubecl::cuda::CudaRuntime;

/// A tensor of the tensor library. In kernels, `Tensor` means an array in GPU memory.
pub(crate) type Rows<const D: usize> = burn::tensor::Tensor<Gpu, D>;

/// A tensor of the GPU backend, whose rank is known only at run time.
pub(crate) type DeviceTensor = CubeTensor<CudaRuntime>;

/// Threads per block; a multiple of the warp size of 32.
pub(crate) const THREADS_PER_BLOCK: u32 = 256;

/// Launches a kernel with one thread per number of each row. Arguments: the inputs, the outputs and
/// the sizes that follow the number of threads.
macro_rules! launch {
    ($kernel:ident, $rows:expr, $width:expr, [$($read:expr),+] => [$($written:ident),+], $($size:expr),*) => {{
        let units = u32::try_from($rows * $width).expect("a batch has fewer than 2³² values");
        let client = [$(&$written.client),+][0].clone();
        $kernel::launch::<cubecl::cuda::CudaRuntime>(
            &client,
            cubecl::prelude::CubeCount::Static(units.div_ceil($crate::ops::cuda::THREADS_PER_BLOCK), 1, 1),
            cubecl::prelude::CubeDim::new_1d($crate::ops::cuda::THREADS_PER_BLOCK),
            $($read.into_tensor_arg(),)+
            $($written.clone().into_tensor_arg(),)+
            units,
            $($size),*
        )
    }};
}
pub(crate) use launch;

pub(crate) fn to_kernel<const D: usize>(tensor: &Rows<D>) -> DeviceTensor {
    into_contiguous_aligned(tensor.clone().into_primitive().tensor())
}

pub(crate) fn from_kernel<const D: usize>(tensor: DeviceTensor) -> Rows<D> {
    Rows::from_primitive(TensorPrimitive::Float(tensor))
}

pub(crate) fn indices(indices: &burn::tensor::Tensor<Gpu, 1, burn::tensor::Int>) -> DeviceTensor {
    into_contiguous_aligned(indices.clone().into_primitive())
}

/// Allocates an uninitialised tensor on the same device as another tensor.
pub(crate) fn empty(like: &DeviceTensor, shape: [usize; 3], kind: DType) -> DeviceTensor {
    empty_device_contiguous_dtype(like.client.clone(), like.device.clone(), Shape::new(shape), kind)
}
